import { cleanup, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { Can, PermissionsProvider, usePermission } from "@/components/permissions/permissions-provider";

afterEach(cleanup);

describe("Can", () => {
  it("shows its children to those who hold the key", () => {
    render(
      <PermissionsProvider keys={["members.view"]}>
        <Can do="members.view">Members</Can>
      </PermissionsProvider>,
    );
    expect(screen.getByText("Members")).toBeTruthy();
  });

  it.each([[[]], [["members.manage"]], [["members.view.all"]], [["MEMBERS.VIEW"]]])("hides them from %j", (keys) => {
    const { container } = render(
      <PermissionsProvider keys={keys}>
        <Can do="members.view">Members</Can>
      </PermissionsProvider>,
    );
    expect(container.innerHTML).toBe("");
  });

  it("hides them where no provider stands above", () => {
    const { container } = render(<Can do="members.view">Members</Can>);
    expect(container.innerHTML).toBe("");
  });

  it("goes by the nearest provider: the campaign's, not the team's", () => {
    const { container } = render(
      <PermissionsProvider keys={["charts.view"]}>
        <PermissionsProvider keys={["campaign.view"]}>
          <Can do="charts.view">Charts</Can>
          <Can do="campaign.view">Overview</Can>
        </PermissionsProvider>
      </PermissionsProvider>,
    );
    expect(container.textContent).toBe("Overview");
  });

  it("is decided in the HTML of the server already", () => {
    const html = renderToString(
      <PermissionsProvider keys={["charts.view"]}>
        <Can do="charts.view">Charts</Can>
        <Can do="charts.edit">New chart</Can>
      </PermissionsProvider>,
    );
    expect(html).toBe("Charts");
  });
});

describe("usePermission", () => {
  it("tells whether the key is held", () => {
    const Probe = () => <>{`${usePermission("charts.view")} ${usePermission("charts.edit")}`}</>;
    const { container } = render(
      <PermissionsProvider keys={["charts.view"]}>
        <Probe />
      </PermissionsProvider>,
    );
    expect(container.textContent).toBe("true false");
  });
});
