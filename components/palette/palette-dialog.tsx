import { LogOut, Search, SunMoon, UserSearch } from "lucide-react";
import { Fragment, useState } from "react";
import { commandTargets, namedTargets, rankTargets } from "@/components/palette/find-targets";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import { recentPages, rememberPage } from "@/components/shell/navigation/recent-pages";
import { requestSignOut } from "@/components/shell/navigation/sign-out-form";
import { listTargets, nearestWith, type Target } from "@/components/shell/navigation/targets";
import { useQuery } from "@/components/shell/use-query";
import { Combobox, ComboboxInput, ComboboxLink, ComboboxList } from "@/components/ui/popup/combobox";
import { DialogClose, DialogPopup } from "@/components/ui/popup/dialog-popup";
import { passSearch } from "@/components/voters/saved-search";
import { type FormSubmit, initialFormState, toFormData } from "@/lib/forms/form-state";
import { callApi, unwrapBody } from "@/lib/http/call-api";

type Option = Target & { id: string; onPick?: () => void; isCommand?: boolean };

/** The open palette. Esc returns the focus to where it was. */
export function PaletteDialog({
  pathname,
  saveTheme,
  onClose,
}: {
  pathname: string;
  saveTheme: FormSubmit;
  onClose: () => void;
}) {
  const places = usePlaces();
  const { userId, teams } = places;
  const [query, setQuery] = useState("");
  const { data: names, isError } = useQuery({
    queryKey: ["names", userId],
    queryFn: ({ signal }) =>
      unwrapBody(
        callApi("/api/go", {
          query: "",
          schema: async () => (await import("@/lib/palette/responses")).paletteResponseSchema,
          signal,
        }),
      ),
    gcTime: Number.POSITIVE_INFINITY, // shows the last response until the new one arrives
  });
  const [recent] = useState(() => recentPages(userId));

  const text = query.trim();
  const pages = listTargets(teams);
  const named = names ? namedTargets(names, teams, pathname) : [];
  // Before anything is typed: recent and near pages. People and charts would be a long list.
  const candidates =
    text === "" ? [...pages, ...named.filter(({ href }) => recent.includes(href))] : [...pages, ...named];
  const theme: Target & Pick<Option, "onPick"> = {
    href: "#theme",
    label: "Switch theme",
    note: "Light or dark",
    icon: SunMoon,
    onPick: () => switchTheme(saveTheme),
  };
  const signOut: typeof theme = {
    href: "#sign-out",
    label: "Sign out",
    note: "End this session",
    icon: LogOut,
    also: "Log out",
    onPick: requestSignOut,
  };
  const actions = [theme, signOut]; // without a page, so ranked after the pages of this place
  const commands = text === "" && pages.length > 0 ? [] : [...commandTargets(places, pathname, text), ...actions];
  const options: Option[] = rankTargets([...candidates, ...commands], text, { pathname, recent }).map((target) => ({
    ...target,
    id: target.href,
    isCommand: commands.includes(target),
  }));
  const [voters] = nearestWith("voters.search", pages, pathname);
  if (text !== "" && voters) {
    const label = `Search voters for “${text}”`;
    options.push({ ...voters, id: "search", label, icon: UserSearch, onPick: () => passSearch(text) });
  }
  const recentCount = text === "" ? options.filter(({ href }) => recent.includes(href)).length : 0;

  return (
    <DialogPopup
      title="Go to"
      hideTitle
      closeOnOutsideClick
      onClose={onClose}
      className="mb-auto max-h-[min(28rem,80dvh)] w-140 max-w-[calc(100vw-1rem)] max-md:mt-2 max-md:rounded-md max-md:border md:mt-[12vh]"
    >
      <Combobox query={query} onQuery={setQuery} options={options}>
        <div className="flex items-center gap-2 border-b py-1 pr-1 pl-4">
          <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          <ComboboxInput
            data-first
            aria-label="Go to"
            maxLength={100}
            placeholder="Go to a page, person, or chart"
            className="h-10 min-w-0 flex-1 bg-transparent text-lg placeholder:text-muted-foreground focus-visible:outline-none pointer-coarse:h-12"
          />
          <DialogClose />
        </div>
        <ComboboxList label="Where to">
          {(option: Option, index) => (
            <Fragment key={option.id}>
              {recentCount > 0 && (index === 0 || index === recentCount) && (
                <p aria-hidden className="px-3 pt-2 pb-1 font-medium text-muted-foreground text-xs">
                  {index === 0 ? "Recent" : "Pages and campaigns"}
                </p>
              )}
              <ComboboxLink
                option={option}
                title={`${option.label}, ${option.note}`}
                onClick={(event) => {
                  onClose();
                  if (actions.some(({ href }) => href === option.href)) event.preventDefault();
                  if (!option.isCommand) rememberPage(userId, option.href);
                  option.onPick?.();
                }}
                className="h-9 px-3 data-highlighted:bg-primary-soft"
              >
                <option.icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
                <span className="min-w-0 flex-1 truncate">{option.label}</span>
                <span className="min-w-0 max-w-[45%] shrink-0 truncate text-muted-foreground text-sm">
                  {option.note}
                </span>
              </ComboboxLink>
            </Fragment>
          )}
        </ComboboxList>
      </Combobox>
      <p role="status" className="not-empty:px-4 not-empty:py-3 text-muted-foreground text-sm">
        {isError && "Couldn't load members and charts. Close this and try again."}
        {!isError && !names && text !== "" && <span className="appear-late">Loading members and charts…</span>}
        {names && options.every(({ id }) => id === "search") && "No pages or people match."}
      </p>
    </DialogPopup>
  );
}

function switchTheme(save: FormSubmit) {
  const { dataset } = document.documentElement;
  const isDark =
    dataset.theme === "dark" || (dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  dataset.theme = isDark ? "light" : "dark";
  void save(initialFormState, toFormData({ theme: dataset.theme })).catch(() => undefined); // then only on this page
}
