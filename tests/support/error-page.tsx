import { Component, type ReactNode } from "react";

/** Shows what was thrown where Next.js would show its error page. */
export class ErrorPage extends Component<{ children: ReactNode }> {
  override state = { said: null };
  static getDerivedStateFromError = (error: Error) => ({ said: String(error.cause ?? error) });
  override render = () => this.state.said ?? this.props.children;
}
