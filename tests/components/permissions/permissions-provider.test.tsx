import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Can, PermissionsProvider, usePermission } from "@/components/permissions/permissions-provider";

// In the HTML of the server already.
const shown = (keys: string[]) =>
  renderToString(
    <PermissionsProvider keys={keys}>
      <Can do="members.view">Members</Can>
    </PermissionsProvider>,
  );

test("shows its children to those who hold the key", () => {
  expect(shown(["charts.view", "members.view"])).toBe("Members");
});

test.each([[[]], [["members.manage"]], [["members.view.all"]], [["MEMBERS.VIEW"]]])("hides them from %j", (keys) => {
  expect(shown(keys)).toBe("");
});

test("hides them where no provider is above", () => {
  expect(renderToString(<Can do="members.view">Members</Can>)).toBe("");
});

test("goes by the nearest provider: the campaign's, not the team's", () => {
  const Held = () => `${usePermission("charts.view")} ${usePermission("campaign.view")}`;
  const html = renderToString(
    <PermissionsProvider keys={["charts.view"]}>
      <PermissionsProvider keys={["campaign.view"]}>
        <Can do="charts.view">Charts</Can>
        <Can do="campaign.view">Overview </Can>
        <Held />
      </PermissionsProvider>
    </PermissionsProvider>,
  );
  expect(html.replaceAll("<!-- -->", "")).toBe("Overview false true");
});
