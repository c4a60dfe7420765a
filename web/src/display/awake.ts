import { useEffect } from "preact/hooks";

/** Keep the screen awake while the page is visible, if the browser can. */
export function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let ended = false;
    const hold = async (): Promise<void> => {
      if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
      try {
        const held = await navigator.wakeLock.request("screen");
        // The page may have been closed meanwhile.
        if (ended) await held.release();
        else lock = held;
      } catch (error) {
        // Refused because of a low battery or a policy: the screen then sleeps as its owner set it.
        console.info(error);
      }
    };
    // A page that was hidden has lost its lock.
    const seen = (): void => void hold();
    void hold();
    document.addEventListener("visibilitychange", seen);
    return () => {
      ended = true;
      document.removeEventListener("visibilitychange", seen);
      lock?.release().catch(console.info);
    };
  }, []);
}
