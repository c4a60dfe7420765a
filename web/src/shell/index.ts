/** Everything that screens use from the shell. */

export { announce, type Urgency } from "./announcer.tsx";
export { useApart } from "./apart.ts";
export { useAnswer, useRulebook } from "./answer.ts";
export { Button } from "./controls/button.tsx";
export { Dialog } from "./controls/dialog.tsx";
export { Choice, Field } from "./controls/field.tsx";
export { Keypad, KeypadField } from "./controls/keypad.tsx";
export { venue } from "./access/venue.ts";
export { followLine, line } from "./connection.tsx";
export { Fault, given, useSending } from "./access/log_in.tsx";
export { useSecondsUntil } from "./countdown.ts";
export { Money } from "./controls/money.tsx";
export { useNames, useSignNames } from "./names.ts";
export { NeedsVenue } from "./access/needs_venue.tsx";
export { NeedsStaff } from "./access/needs_staff.tsx";
export { NeedsTerminal, NoTable } from "./access/needs_terminal.tsx";
export { notify } from "./notices.tsx";
export { theme, type Theme } from "./settings/theme.ts";
export { addressOf, go, here, type Screen } from "./router.ts";
export { save } from "./save.ts";
export { session } from "./access/session.ts";
export { bell, chipClick, sound } from "./settings/sound.ts";
export { canSpeak, speak, speech } from "./settings/speech.ts";
export { LanguageChoice, ThemeSwitch, SoundSwitch, SpeechSwitch } from "./top_bar.tsx";
