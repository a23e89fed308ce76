import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 5_000 }); // a busy machine takes its time over each pause
