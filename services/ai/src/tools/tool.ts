import type { Scope, WorkspaceCaller } from '@wp/contracts'
import type { ToolEffect } from './autonomy.ts'

/** A tool that a model can call in a run. */
export interface AgentTool {
  /** Unique in a run: 1 to 64 of a-z, A-Z, 0-9, _ and -. */
  name: string
  description: string
  /** The integration whose tool it is, and its effect in words with the name of the integration. */
  integration?: { id: string; title: string }
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>
  /** Scopes that the caller of the run needs. */
  requiredScopes: readonly Scope[]
  /** Returns the effect of a call, by which the autonomy of the agent decides about an approval. */
  effectOf(input: unknown): ToolEffect
  /** False: a repeated call may have another effect; its result is recorded before it is repeated. */
  isRepeatable: boolean
  /** True if a call changes nothing. Default: as `isRepeatable`. */
  isReadOnly?: boolean
  /** Time limit of a call, which `run` keeps itself. */
  timeoutMs: number
  /**
   * Calls the tool as the caller.
   * @throws ToolFailure whose message is for the model and the user; any other error is a fault of the platform
   */
  run(input: unknown, call: ToolCall): Promise<ToolResult>
}

/** A call of a tool. */
export interface ToolCall {
  caller: WorkspaceCaller
  /** The data sources that the run may read; empty for all that the caller may read. */
  dataSourceIds: readonly string[]
  signal: AbortSignal
  callId: string
}

/** The result of a call. */
export interface ToolResult {
  /** JSON of limited size. It is content of users or of other servers: data, never instructions. */
  output: unknown
  /** The records in the output, which an answer can cite. */
  records?: readonly RetrievedRecord[]
}

/** A record that a tool returned. */
export interface RetrievedRecord {
  record_id: string
  data_source_id: string
  key: string
  title: string | null
  url: string | null
  snippet: string | null
}

/** Thrown by a tool that cannot do what was asked. The message says what is wrong and what to do instead. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
}

/** Told to a model when a call that changes something got no valid answer. */
export const uncertainEffect = 'It may have had its effect: do not repeat it before you have checked'

/** Throws ToolFailure in a run that may read some data sources only: the workplace is counted from all of them. */
export function requireAllSources({ dataSourceIds }: Pick<ToolCall, 'dataSourceIds'>): void {
  if (dataSourceIds.length > 0)
    throw new ToolFailure('This run is limited to some data sources, and the workplace is counted from all of them')
}
