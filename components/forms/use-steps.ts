import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isDialogOpen } from "@/components/ui/dialog";

const maxSteps = 100;

// Typing there is undone by the browser.
const textField = (element: unknown) =>
  element instanceof Element && element.matches("input:not([type=radio], [type=checkbox]), textarea") ? element : null;

/**
 * Undo and redo. Call `record` before each change; all typing in one field is one step. Ctrl+Z and Ctrl+Shift+Z work outside
 * text fields, or ⌘ on a Mac.
 */
export function useSteps<State>(now: State, onState: (state: State) => void) {
  const [past, setPast] = useState<State[]>([]);
  const [future, setFuture] = useState<State[]>([]);
  const typedIn = useRef<Element | null>(null);

  const record = () => {
    const field = textField(document.activeElement);
    if (field === null || field !== typedIn.current) setPast((before) => [...before, now].slice(-maxSteps));
    typedIn.current = field;
    setFuture([]);
  };
  const undo = () => {
    const state = past.at(-1);
    if (state === undefined) return;
    typedIn.current = null;
    setPast(past.slice(0, -1));
    setFuture([...future, now]);
    onState(state);
  };
  const redo = () => {
    const state = future.at(-1);
    if (state === undefined) return;
    typedIn.current = null;
    setFuture(future.slice(0, -1));
    setPast([...past, now]);
    onState(state);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isStep = key === "y" ? event.ctrlKey : key === "z" && (event.ctrlKey || event.metaKey);
    if (!isStep || event.altKey || textField(event.target) || isDialogOpen()) return;
    event.preventDefault();
    if (event.shiftKey || key === "y") redo();
    else undo();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return { record, undo, redo, canUndo: past.length > 0, canRedo: future.length > 0 };
}
