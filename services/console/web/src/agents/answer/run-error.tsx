import { Link } from '../../ui/button/button-link.tsx'
import { Callout, Skeleton } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'

/** The titles of the errors of runs that need an explanation. */
const titles: Readonly<Record<string, string>> = {
  model_unavailable: 'The model did not answer',
  model_rejected: 'The model refused the request',
  model_not_configured: 'No model is connected',
  run_timeout: 'The run took too long',
  run_interrupted: 'The run was interrupted',
}

const modelErrors: ReadonlySet<string> = new Set(['model_unavailable', 'model_rejected', 'model_not_configured'])

/** The error of a failed run: what happened, and what to do. */
export function RunError({ error: { code, message } }: { error: { code: string; message: string } }) {
  return (
    <Callout tone="danger" title={titles[code] ?? 'The run failed'}>
      <p>{message}</p>
      {code === 'model_unavailable' && <p>Ask again in a moment. If it stays, test the integration of the model.</p>}
      {code === 'run_interrupted' && (
        <p>Ask again: the run is not repeated by itself, because tools may have had effects.</p>
      )}
      {modelErrors.has(code) && <ModelHelp />}
    </Callout>
  )
}

/** Tells how to connect a model. */
export function ModelHelp() {
  return (
    <p>
      Connect a model with an <Link to="/$workspaceId/integrations/new">OpenAI-compatible integration</Link>, or check
      the <Link to="/$workspaceId/integrations">integrations</Link>, then choose it in the configuration of the agent.
      The model Local needs no connection.
    </p>
  )
}

const widths = ['40%', '85%', '70%', '90%', '55%'] as const

/** Stands for the content of a page until it has arrived. */
export const Loading = () => (
  <Card>
    <div className="stack-3" role="status" aria-label="Loading">
      {widths.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  </Card>
)
