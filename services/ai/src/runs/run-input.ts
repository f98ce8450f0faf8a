import type { Model, ToolReference } from '@wp/contracts'

/** A message of a prompt. */
export interface RunMessage {
  role: 'user' | 'assistant' | 'system'
  content: string
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
  ...{ instructions, model, tools, dataSourceIds },
})

/** The input of the job of a run. */
export interface RunInput {
  behaviour: RunBehaviour
  /** The messages of the request: of a run in a conversation, those that are new. */
  messages: RunMessage[]
  /** The input as the API shows it. */
  shown: unknown
  maxSteps: number
  /** Tokens after which no further step is taken; undefined for no limit of the request. */
  maxTokens: number | undefined
  timeoutMs: number
}

/** A remark about a run that is no failure. */
export interface RunWarning {
  code: string
  message: string
}
