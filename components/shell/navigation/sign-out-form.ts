/** The id of the sign-out form in the menu of each page. */
export const signOutFormId = "sign-out";

/** Signs out as the menu does: it asks first if something isn't saved. */
export function requestSignOut() {
  const form = document.getElementById(signOutFormId);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}
