/** The part of an agent that its playground needs. */
export interface PlaygroundAgent {
  agent_id: string
  status: string
  input_schema: Record<string, unknown> | null
}
