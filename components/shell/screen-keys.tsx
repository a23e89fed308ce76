"use client";

import { createContext, type ReactNode, use, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Dialog, DialogBody, isDialogOpen } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

/** A keyboard shortcut and what it does; `g v` is one key after the other. `run` is called unless someone is typing. */
export type ScreenKey = { key: string; does: string; run?: () => void };

type Registry = { register: (keys: ScreenKey[]) => () => void; show: () => void };

const ScreenKeys = createContext<Registry>({ register: () => () => undefined, show: () => undefined });

const chordMs = 1_000;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** Listens for the shortcuts of the screen, and lists them on `?`, or Ctrl+/ while typing. One for the whole application. */
export function ScreenKeysProvider({ children }: { children: ReactNode }) {
  const [registered, setRegistered] = useState<ScreenKey[][]>([]);
  const [isShown, setShown] = useState(false);
  const first = useRef({ key: "", at: Number.NEGATIVE_INFINITY });
  const keys = useMemo(() => registered.flat(), [registered]);

  const register = useCallback((added: ScreenKey[]) => {
    setRegistered((all) => [...all, added]);
    return () => setRegistered((all) => all.filter((other) => other !== added));
  }, []);
  const show = useCallback(() => setShown(true), []);
  const registry = useMemo(() => ({ register, show }), [register, show]);

  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing || isDialogOpen()) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key !== "/") return;
        event.preventDefault();
        return show();
      }
      if (isTyping(event.target)) return;
      const pressed = event.key.toLowerCase();
      const isSecond = event.timeStamp - first.current.at < chordMs;
      const runOf = (combination: string) => keys.find(({ key, run }) => run && key.toLowerCase() === combination)?.run;
      const chord = isSecond ? runOf(`${first.current.key} ${pressed}`) : undefined;
      first.current = { key: pressed, at: chord ? Number.NEGATIVE_INFINITY : event.timeStamp };
      const run = pressed === "?" ? show : (chord ?? runOf(pressed));
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [keys, show]);

  return (
    <ScreenKeys value={registry}>
      {children}
      {isShown && (
        <Dialog title="Keyboard shortcuts" onClose={() => setShown(false)} className="w-80">
          {/* Focusable, so that keys can scroll it. */}
          <DialogBody tabIndex={0}>
            <dl className="grid grid-cols-[1fr_auto] gap-y-2">
              {[...keys, { key: "Ctrl+/", does: "Show keyboard shortcuts" }, { key: "Esc", does: "Close" }].map(
                (entry) => (
                  <div
                    key={`${entry.key} ${entry.does}`}
                    className="col-span-2 flex items-center justify-between gap-4"
                  >
                    <dt>{entry.does}</dt>
                    <dd>
                      <Kbd className="max-md:inline-flex pointer-coarse:inline-flex">{entry.key}</Kbd>
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </DialogBody>
        </Dialog>
      )}
    </ScreenKeys>
  );
}

/** Adds shortcuts while the component is on the screen. Pass the same array each time. */
export function useScreenKeys(keys: ScreenKey[]) {
  const { register } = use(ScreenKeys);
  // Before the screen is painted. Otherwise a fast key would act on the previous screen.
  useLayoutEffect(() => register(keys), [register, keys]);
}

/** Opens the list of shortcuts. */
export function useShowScreenKeys() {
  return use(ScreenKeys).show;
}
