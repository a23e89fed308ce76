"use client";

import { X } from "lucide-react";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

/** A key of a screen, and what it does. `run` makes it act while nobody is typing. */
export type ScreenKey = { key: string; does: string; run?: () => void };

type Registry = { register: (keys: ScreenKey[]) => () => void; show: () => void };

const ScreenKeys = createContext<Registry>({ register: () => () => undefined, show: () => undefined });

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** Listens for the keys of the screen, and lists them on `?`. One for the whole application. */
export function ScreenKeysProvider({ children }: { children: ReactNode }) {
  const [registered, setRegistered] = useState<ScreenKey[][]>([]);
  const dialog = useRef<HTMLDialogElement>(null);
  const keys = useMemo(() => registered.flat(), [registered]);

  const register = useCallback((added: ScreenKey[]) => {
    setRegistered((all) => [...all, added]);
    return () => setRegistered((all) => all.filter((one) => one !== added));
  }, []);
  const show = useCallback(() => dialog.current?.showModal(), []);
  const registry = useMemo(() => ({ register, show }), [register, show]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (isTyping(event.target) || document.querySelector("dialog:modal")) return;
      const pressed = event.key.toLowerCase();
      const run = pressed === "?" ? show : keys.find(({ key, run }) => run && key.toLowerCase() === pressed)?.run;
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
      <dialog
        ref={dialog}
        aria-labelledby="screen-keys-title"
        className="m-auto w-80 max-w-[calc(100vw-2rem)] rounded-md border bg-popover p-4 shadow-popover backdrop:bg-[oklch(0_0_0/0.4)]"
      >
        <div className="mb-3 flex items-center justify-between">
          <h2 id="screen-keys-title" className="font-semibold text-lg">
            Keys of this screen
          </h2>
          <Button variant="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <X aria-hidden />
          </Button>
        </div>
        <dl className="grid grid-cols-[1fr_auto] gap-y-2">
          {[...keys, { key: "?", does: "Show these keys" }, { key: "Esc", does: "Close what is open" }].map((entry) => (
            <div key={`${entry.key} ${entry.does}`} className="col-span-2 flex items-center justify-between gap-4">
              <dt>{entry.does}</dt>
              <dd>
                <Kbd>{entry.key}</Kbd>
              </dd>
            </div>
          ))}
        </dl>
      </dialog>
    </ScreenKeys>
  );
}

/** Adds keys to the screen while the component is on it. Pass the same array each time. */
export function useScreenKeys(keys: ScreenKey[]) {
  const { register } = use(ScreenKeys);
  useEffect(() => register(keys), [register, keys]);
}

/** Opens the list of keys. */
export function useShowScreenKeys() {
  return use(ScreenKeys).show;
}
