import { ApiError, type Client } from '@wp/client/browser'
import { createStore, notifySessionEnded, type Store } from '../../api/session-state.ts'
import { followRun, type RunToFollow } from '../answer/follow-run.ts'
import { type Answer, applyChunk, decideCall, emptyAnswer, textOfAnswer } from '../answer/message-stream.ts'

/** A question and its answer. */
export interface Turn {
  /** Distinguishes the turns, also from those that were cleared. */
  number: number
  /** The input of the run: a text, or an object for agents with an input schema. */
  input: unknown
  answer: Answer
  /** The error of a request that was refused, or of a connection that did not come back. */
  failure: unknown
  isConnectionLost: boolean
  startedAt: number
  /** Undefined while the turn is in progress. */
  durationMs: number | undefined
}

/** The most turns that are sent with a question: the API takes 200 messages. */
const maxHistoryTurns = 90

/**
 * A chat with an agent. Every question is a run of its own, which is sent the turns before. It lives outside the page,
 * so that the answer is still there, or still being written, when the person comes back from a record.
 */
export class Playground {
  readonly turns: Store<readonly Turn[]> = createStore<readonly Turn[]>([])
  readonly #workspaceId: string
  readonly #agentId: string
  readonly #api: Client
  #abort = new AbortController()
  #lastNumber = 0

  constructor(workspaceId: string, agentId: string, api: Client) {
    this.#workspaceId = workspaceId
    this.#agentId = agentId
    this.#api = api
  }

  /** Asks a question. A text is sent with the turns before; an object is an input of its own. */
  async ask(input: string | Record<string, unknown>): Promise<void> {
    const turns = this.turns.get()
    const body =
      typeof input === 'string' && turns.length > 0
        ? { messages: [...historyOf(turns), userMessage(input)] }
        : { input }
    this.#lastNumber += 1
    const turn = newTurn(this.#lastNumber, input)
    this.turns.set([...turns, turn])
    await this.#follow(turn.number, { agentId: this.#agentId, body })
  }

  /** Cancels the run in progress. @throws the error of the call */
  async stop(): Promise<void> {
    const turn = this.turns.get().at(-1)
    if (turn?.answer.runId !== undefined) await this.#api.ai.cancelRun({ params: { id: turn.answer.runId } })
    else this.#abort.abort()
  }

  /**
   * Decides on a call that waits for an approval; the run goes on when all are decided. @throws the error of the call
   */
  async decide(number: number, callId: string, approved: boolean, reason: string): Promise<void> {
    const runId = this.turns.get().find((turn) => turn.number === number)?.answer.runId
    if (runId === undefined) return
    await this.#api.ai.approveRun({
      params: { id: runId },
      body: { approval_id: callId, approved, ...(!approved && reason !== '' && { reason }) },
    })
    this.#update(number, ({ answer }) => ({ answer: decideCall(answer, callId, approved) }))
  }

  /** Follows the last run again after its connection did not come back. */
  async reconnect(): Promise<void> {
    const turn = this.turns.get().at(-1)
    if (turn?.answer.runId === undefined) return
    this.#update(turn.number, () => ({ ...newTurn(turn.number, turn.input), startedAt: turn.startedAt }))
    await this.#follow(turn.number, { runId: turn.answer.runId })
  }

  /** Forgets all turns. A run in progress goes on. */
  clear(): void {
    this.#abort.abort()
    this.turns.set([])
  }

  async #follow(number: number, run: RunToFollow): Promise<void> {
    this.#abort = new AbortController()
    const { signal } = this.#abort
    const onConnection = (state: 'open' | 'lost') =>
      this.#update(number, () => ({ isConnectionLost: state === 'lost' }))
    try {
      for await (const chunk of followRun(run, { workspaceId: this.#workspaceId, signal, onConnection }))
        this.#update(number, ({ answer }) => ({ answer: applyChunk(answer, chunk) }))
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) notifySessionEnded()
      this.#update(number, () => (signal.aborted ? {} : { failure }))
    }
    this.#update(number, ({ startedAt }) => ({ isConnectionLost: false, durationMs: Date.now() - startedAt }))
  }

  #update(number: number, change: (turn: Turn) => Partial<Turn>): void {
    this.turns.set(this.turns.get().map((turn) => (turn.number === number ? { ...turn, ...change(turn) } : turn)))
  }
}

const newTurn = (number: number, input: unknown): Turn => ({
  number,
  input,
  answer: emptyAnswer,
  failure: undefined,
  isConnectionLost: false,
  startedAt: Date.now(),
  durationMs: undefined,
})

const userMessage = (content: string) => ({ role: 'user', content })

/** Turns without an answer are left out: they would be two questions in a row. */
const historyOf = (turns: readonly Turn[]) =>
  turns.slice(-maxHistoryTurns).flatMap(({ input, answer }) => {
    const content = textOfAnswer(answer)
    if (typeof input !== 'string' || content === '') return []
    return [userMessage(input), { role: 'assistant', content }]
  })

const playgrounds = new Map<string, Playground>()

/** Returns the chat of this browser with an agent. */
export function getPlayground(workspaceId: string, agentId: string, api: Client): Playground {
  const key = `${workspaceId} ${agentId}`
  const playground = playgrounds.get(key) ?? new Playground(workspaceId, agentId, api)
  playgrounds.set(key, playground)
  return playground
}

/** The part of an agent that its playground needs. */
export interface PlaygroundAgent {
  agent_id: string
  status: string
  input_schema: Record<string, unknown> | null
}
