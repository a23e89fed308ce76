/** The cookie by which a device remembers that it shows the separate fields: the page is drawn with them from the start. */
export const fieldsCookie = "signet-voter-fields";
