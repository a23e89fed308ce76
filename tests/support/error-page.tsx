import { Component, type ReactNode } from "react";

/** Shows what was thrown where Next.js would show its error page. */
export class ErrorPage extends Component<{ children: ReactNode }> {
  override state = { message: null };
  static getDerivedStateFromError = (error: Error) => ({ message: String(error.cause ?? error) });
  override render = () => this.state.message ?? this.props.children;
}
