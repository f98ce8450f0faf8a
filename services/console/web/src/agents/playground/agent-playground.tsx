import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { useEffect, useRef } from 'react'
import { useStore } from '../../api/session-state.ts'
import { useApi, useBaseUrl, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { Callout, EmptyState, ErrorMessage } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { CodeBlock, JsonView } from '../../ui/values/code-block.tsx'
import { isWaiting } from '../answer/message-stream.ts'
import { ModelHelp } from '../answer/run-error.tsx'
import { useAgent } from '../shared/queries.ts'
import { runSnippet } from '../shared/snippets.ts'
import { AnswerFacts, AnswerView } from './answer-view.tsx'
import { Composer } from './composer.tsx'
import styles from './playground.module.css'
import { getPlayground, type Playground, type PlaygroundAgent, type Turn } from './playground.ts'

const route = getRouteApi('/$workspaceId/agents/$agentId/')

/** The tab where an agent is tried. */
export function AgentPlayground() {
  const { agentId } = route.useParams()
  const { data: agent } = useAgent(agentId)
  return agent === undefined ? null : <PlaygroundView key={`${agentId} ${agent.version}`} agent={agent} />
}

/** An answer whose end is at most so many pixels below the window is followed. */
const followDistance = 240

/** A chat with an agent, with its steps as they happen. */
function PlaygroundView({ agent }: { agent: PlaygroundAgent }) {
  const playground = getPlayground(useWorkspaceId(), agent.agent_id, useApi())
  const turns = useStore(playground.turns)
  const last = turns.at(-1)
  const isRunning = last !== undefined && last.durationMs === undefined
  const end = useRef<HTMLDivElement>(null)
  const count = turns.length
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [count])
  const needsDecision = last !== undefined && isWaiting(last.answer)
  useEffect(() => {
    if (needsDecision) end.current?.scrollIntoView({ block: 'end' })
  }, [needsDecision])
  // Follows the answer as it is written, unless the person has scrolled up to read.
  useEffect(() => {
    const element = end.current
    if (last === undefined || !isRunning || element === null) return
    if (element.getBoundingClientRect().bottom < window.innerHeight + followDistance)
      element.scrollIntoView({ block: 'end' })
  }, [last, isRunning])
  return (
    <Card isFlush>
      <div className="visually-hidden" role="status">
        {last === undefined ? '' : describeTurn(last)}
      </div>
      {turns.length === 0 ? (
        <PlaygroundIntroduction agent={agent} />
      ) : (
        <ol className={styles.turns} aria-label="Questions and answers">
          {turns.map((turn) => (
            <li key={turn.number} className="stack-4" tabIndex={-1}>
              <TurnView turn={turn} playground={playground} isLast={turn === last} />
            </li>
          ))}
        </ol>
      )}
      <div ref={end} className={styles.end} />
      <Composer
        agent={agent}
        isRunning={isRunning}
        hasTurns={turns.length > 0}
        onAsk={(input) => void playground.ask(input)}
        onStop={() => playground.stop()}
        onClear={() => playground.clear()}
      />
    </Card>
  )
}

/** Says for assistive technology what has changed, without repeating the text as it is written. */
function describeTurn({ answer, durationMs, failure, isConnectionLost }: Turn): string {
  if (failure !== undefined) return 'The answer failed.'
  if (durationMs !== undefined) return `The answer is ${answer.status === 'finished' ? 'complete' : answer.status}.`
  if (isConnectionLost) return 'The connection was lost. Connecting again.'
  return isWaiting(answer) ? 'The assistant waits for your approval.' : 'The assistant is answering.'
}

function TurnView({ turn, playground, isLast }: { turn: Turn; playground: Playground; isLast: boolean }) {
  const { input, answer, failure, isConnectionLost, durationMs } = turn
  return (
    <>
      {typeof input === 'string' ? (
        <p className={styles.question}>{input}</p>
      ) : (
        <div className={styles.questionJson}>
          <JsonView value={input} label="Input" />
        </div>
      )}
      {failure === undefined || answer.runId !== undefined ? (
        <AnswerView
          answer={answer}
          onDecide={(callId, isApproved, reason) => playground.decide(turn.number, callId, isApproved, reason)}
        />
      ) : null}
      <div className={styles.notices}>
        {isConnectionLost && (
          <Callout tone="warning" title="The connection was lost">
            The run goes on. Connecting again…
          </Callout>
        )}
        {failure !== undefined && (
          <TurnFailure
            failure={failure}
            {...(isLast && answer.runId !== undefined && { onRetry: () => void playground.reconnect() })}
          />
        )}
      </div>
      {durationMs !== undefined && answer.runId !== undefined && (
        <AnswerFacts runId={answer.runId} usage={answer.usage} durationMs={durationMs} />
      )}
    </>
  )
}

function TurnFailure({ failure, onRetry }: { failure: unknown; onRetry?: () => void }) {
  if (failure instanceof ApiError && failure.code === 'model_not_configured')
    return (
      <Callout tone="warning" title="No model is connected">
        <p>{failure.message}</p>
        <ModelHelp />
      </Callout>
    )
  if (failure instanceof ApiError && failure.code === 'quota_exceeded')
    return (
      <>
        <ErrorMessage error={failure} />
        <Link to="/$workspaceId/usage">See the quotas of the workspace</Link>
      </>
    )
  return <ErrorMessage error={failure} {...(onRetry && { onRetry })} />
}

function PlaygroundIntroduction({ agent }: { agent: PlaygroundAgent }) {
  const baseUrl = useBaseUrl()
  return (
    <EmptyState
      icon="chat"
      title="Try this assistant"
      snippet={<CodeBlock code={runSnippet(baseUrl, agent)} label="Run by curl" />}
    >
      Ask a question below. You see every step, and decide on calls that need an approval. The same run by curl:
    </EmptyState>
  )
}
