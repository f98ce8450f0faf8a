import { withNames } from '../../ui/format/replace-ids.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import type { ToolCall, ToolCallStatus } from './message-stream.ts'

/**
 * Returns a short text for an input of a tool: the request of an HTTP tool, or its texts, as numbers tell nothing. Has
 * names in place of ids.
 */
export function summarizeInput(input: unknown, nameOf: (id: string) => string | undefined): string {
  if (typeof input !== 'object' || input === null) return input === undefined || input === null ? '' : String(input)
  const { method, path } = input as Record<string, unknown> // an object, of which any member may be missing
  if (typeof method === 'string' && typeof path === 'string') return `${method} ${path}`
  return shorten(
    Object.values(input)
      .flatMap((value) => (typeof value === 'string' ? withNames(value, nameOf).trim() || [] : []))
      .join(', '),
  )
}

const maxSummaryLength = 80
const shorten = (text: string): string =>
  text.length > maxSummaryLength ? `${text.slice(0, maxSummaryLength - 1)}…` : text

/** The effects of the tools of the platform, as imperatives. */
const toolWords: Readonly<Record<string, string>> = {
  aggregate_records: 'Calculate figures from your records',
  create_scenario: 'Create a scenario',
  list_records: 'List records',
  list_sources: 'List your data sources',
  list_workplace: 'Look up buildings, teams and forecasts',
  read_forecast: 'Read a forecast',
  read_record: 'Read a record',
  read_scenario: 'Read a scenario',
  read_variable: 'Read a variable',
  search_data: 'Search your data',
  start_forecast: 'Start a forecast',
}

/**
 * Returns what a call does in plain words: its title if its tool is one of an integration, a sentence for those of the
 * platform, else the words of its name.
 */
export const describeTool = ({ tool, title }: Pick<ToolCall, 'tool' | 'title'>): string =>
  isolate(title ?? toolWords[tool] ?? inWords(tool))

function inWords(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the state of a call as a person sees it. A service that was called and answered with an error did not do what
 * it was called for, also though the call itself took place.
 */
export function shownStatus({ status, output }: Pick<ToolCall, 'status' | 'output'>): ToolCallStatus {
  return status === 'finished' && errorStatusOf(output) !== undefined ? 'failed' : status
}

/** Returns the status with which a service refused a call; undefined if it did not. */
export function errorStatusOf(output: unknown): number | undefined {
  if (typeof output !== 'object' || output === null || !('status' in output)) return undefined
  return typeof output.status === 'number' && output.status >= 400 && output.status <= 599 ? output.status : undefined
}

/** The words of the status badges for the states of a tool call. */
export const callStatusWords: Readonly<Record<ToolCallStatus, string>> = {
  running: 'running',
  waiting: 'awaiting_approval',
  finished: 'finished',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
}
