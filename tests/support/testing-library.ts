import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { clearQueries } from "@/components/shell/use-query";

configure({ asyncUtilTimeout: 10_000 }); // a busy machine needs longer for each pause

// jsdom has no layout, no pointers and no modal dialogs.
Element.prototype.scrollIntoView = async () => undefined; // as in newer browsers: an effect must not return this promise
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  this.dispatchEvent(new Event("close"));
};
class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
beforeEach(() => {
  vi.stubGlobal("ResizeObserver", NoResizeObserver);
  vi.stubGlobal("matchMedia", (query: string) =>
    Object.assign(new EventTarget(), { matches: query === "(pointer: fine)" }),
  );
});

// Nothing that a page saves outlasts a test.
afterEach(() => {
  cleanup();
  clearQueries();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});
