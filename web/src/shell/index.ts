/** What screens take from the shell. */

export { announce, type Urgency } from "./announcer.tsx";
export { Button } from "./button.tsx";
export { Dialog } from "./dialog.tsx";
export { Choice, Field } from "./field.tsx";
export { house } from "./house.ts";
export { followLine, line } from "./line.tsx";
export { Fault, given, useSending } from "./log_in.tsx";
export { Money } from "./money.tsx";
export { NeedsHouse } from "./needs_house.tsx";
export { NeedsStaff } from "./needs_staff.tsx";
export { NeedsTerminal, NoTable } from "./needs_terminal.tsx";
export { notify } from "./notices.tsx";
export { room, type Room } from "./room.ts";
export { addressOf, go, here, type Screen } from "./router.ts";
export { session } from "./session.ts";
export { bell, chipClick, sound } from "./sound.ts";
export { canSpeak, speak, speech } from "./speech.ts";
export { LanguageChoice, RoomSwitch, SoundSwitch, SpeechSwitch } from "./top_bar.tsx";
