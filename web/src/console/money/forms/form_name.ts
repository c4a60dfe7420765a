/** Which form of the table's money is open. */

export type Opened =
  | {
      readonly form: "buy" | "exchange" | "leave" | "assign" | "buy-colour" | "convert" | "release";
      readonly seat: string;
    }
  | { readonly form: "receive" | "credit-back" | "recovery"; readonly name: string }
  | { readonly form: "open-day" | "close-day" | "count-drop" | "credit" | "put-right" | "all-leave" };
