/** An event of this page. `report` makes it happen; `on` calls back each time, and returns a function that unsubscribes. */
export function pageEvent(name: string) {
  return {
    report: () => void window.dispatchEvent(new Event(name)),
    on: (callback: () => void) => {
      window.addEventListener(name, callback);
      return () => window.removeEventListener(name, callback);
    },
  };
}
