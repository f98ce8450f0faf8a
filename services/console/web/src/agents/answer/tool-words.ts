import type { ToolCallStatus } from './message-stream.ts'

/** Returns a short text for an input of a tool: the request of an HTTP tool, or its first values. */
export function summarizeInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return input === undefined || input === null ? '' : String(input)
  const { method, path } = input as Record<string, unknown> // an object, of which any member may be missing
  if (typeof method === 'string' && typeof path === 'string') return `${method} ${path}`
  const values = Object.values(input).filter((value) => typeof value !== 'object' || value === null)
  return shorten(values.map(String).join(', '))
}

const maxSummaryLength = 80
const shorten = (text: string): string =>
  text.length > maxSummaryLength ? `${text.slice(0, maxSummaryLength - 1)}…` : text

/** The words of the status badges for the states of a tool call. */
export const callStatusWords: Readonly<Record<ToolCallStatus, string>> = {
  running: 'running',
  waiting: 'awaiting_approval',
  finished: 'finished',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
}
