/** The next step of a run: a tool call, or the answer. */
export type Decision = { tool: string; input: Record<string, unknown> } | { answer: string }
