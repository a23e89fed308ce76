import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Can, PermissionsProvider, usePermission } from "@/components/permissions/permissions-provider";

// Renders it like the server.
const shown = (keys: string[]) =>
  renderToString(
    <PermissionsProvider keys={keys}>
      <Can do="members.view">Members</Can>
    </PermissionsProvider>,
  );

test("shows its children to people with the permission", () => {
  expect(shown(["charts.view", "members.view"])).toBe("Members");
});

test.each([[[]], [["members.manage"]], [["members.view.all"]], [["MEMBERS.VIEW"]]])(
  "hides them from people who only have %j",
  (keys) => {
    expect(shown(keys)).toBe("");
  },
);

test("hides them without a provider", () => {
  expect(renderToString(<Can do="members.view">Members</Can>)).toBe("");
});

test("uses the nearest provider: the campaign's, not the team's", () => {
  const Permissions = () => `${usePermission("charts.view")} ${usePermission("campaign.view")}`;
  const html = renderToString(
    <PermissionsProvider keys={["charts.view"]}>
      <PermissionsProvider keys={["campaign.view"]}>
        <Can do="charts.view">Charts</Can>
        <Can do="campaign.view">Overview </Can>
        <Permissions />
      </PermissionsProvider>
    </PermissionsProvider>,
  );
  expect(html.replaceAll("<!-- -->", "")).toBe("Overview false true");
});
