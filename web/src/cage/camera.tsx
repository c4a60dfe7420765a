/** Scans with the camera, if the browser can read QR codes and the connection is secure. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { Dialog } from "../shell/index.ts";
import { lasting, said } from "../words/said.ts";
import { useWords } from "../words/words.ts";
import { scanned, type Scanned } from "./scanning.ts";

/** How often a picture is checked for a code. */
const LOOK_MS = 200;

interface Detector {
  detect(picture: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector;

function detectorClass(): DetectorClass | null {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector ?? null;
}

/** Whether the browser can scan; over an insecure connection it cannot. */
export function hasCamera(): boolean {
  return detectorClass() !== null && "mediaDevices" in navigator;
}

interface Props {
  readonly onScan: (what: Scanned) => void;
  readonly onClose: () => void;
}

export function Camera({ onScan, onClose }: Props) {
  const t = useWords("cage");
  const video = useRef<HTMLVideoElement>(null);
  const fault = useSignal<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    look(video.current, ending.signal).then(
      (what) => {
        if (what !== null) onScan(what);
      },
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        fault.value = lasting(() => t("camera_none", { why }));
      },
    );
    return () => ending.abort();
  }, []);
  return (
    <Dialog title={t("camera_title")} onClose={onClose}>
      {fault.value === null ? (
        <video ref={video} class="cage-camera" muted playsInline />
      ) : (
        <p role="alert">{said(fault.value)}</p>
      )}
    </Dialog>
  );
}

/** Scan until a number is found; null if the scan is stopped. */
async function look(video: HTMLVideoElement | null, signal: AbortSignal): Promise<Scanned | null> {
  const Detector = detectorClass();
  if (video === null || Detector === null) return null;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  try {
    video.srcObject = stream;
    await video.play();
    const detector = new Detector({ formats: ["qr_code"] });
    while (!signal.aborted) {
      for (const { rawValue } of await detector.detect(video)) {
        const what = scanned(rawValue);
        if (what !== null && !signal.aborted) return what;
      }
      await new Promise((go) => setTimeout(go, LOOK_MS));
    }
    return null;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
