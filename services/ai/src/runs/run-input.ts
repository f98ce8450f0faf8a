import type { Autonomy, CostLimit, Model, ToolReference } from '@wp/contracts'
import type { ModelMessage } from 'ai'

/** A message of a prompt. */
export interface TextRunMessage {
  role: 'user' | 'assistant' | 'system'
  content: string
}

/** A message of text, or as the model is sent it: a call of a tool of the client, or its result. */
export type RunMessage = TextRunMessage | { role: 'exchange'; message: ModelMessage }

/** A tool that the client of a run calls itself: a call of it ends the run. */
export interface ClientTool {
  name: string
  description: string
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>
}

/** The behaviour of a run: the pinned version of an agent, or the choices of a chat. */
export interface RunBehaviour {
  instructions: string
  model: Model
  tools: ToolReference[]
  /** Empty for all data sources that the caller may read. */
  dataSourceIds: string[]
}

/** Returns the behaviour of a version of an agent. */
export const behaviourOf = ({ instructions, model, tools, dataSourceIds }: RunBehaviour): RunBehaviour => ({
  instructions,
  model,
  tools,
  dataSourceIds,
})

/** The input of the job of a run. */
export interface RunInput {
  behaviour: RunBehaviour
  /** The messages of the request: of a run in a conversation, those that are new. */
  messages: RunMessage[]
  clientTools?: ClientTool[]
  /** True in an evaluation, in which no tool may act. */
  isEvaluation?: boolean
  /** The input as the API shows it. */
  shown: unknown
  maxSteps: number
  /** Tokens after which no further step is taken; undefined for no limit of the request. */
  maxTokens: number | undefined
  /** Money after which no further step is taken; undefined for no limit of the request. */
  maxCost?: CostLimit | undefined
  /** The level of the agent, or the lower one of the trigger, when the run was started. Default: that of a chat. */
  autonomy?: Autonomy
  timeoutMs: number
}

/** A remark about a run that is no failure. */
export interface RunWarning {
  code: string
  message: string
}
