import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { isolate, withoutDirections } from '../../ui/format/untrusted-text.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { EmptyState, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster } from '../../ui/page/page.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { useAgents, useSources } from '../shared/queries.ts'
import styles from './automation.module.css'
import { TriggerDialog } from './trigger-dialog.tsx'
import { type AgentOfTriggers, describeOccasion, type TriggerView } from './trigger-words.ts'

/** Reads the automatic runs of an assistant. */
export const useTriggers = (agentId: string) =>
  useApiQuery(['agents', agentId, 'triggers'], (api, options) =>
    api.agents.listTriggers({ params: { agent_id: agentId }, query: { limit: 100 } }, options),
  )

/** The occasions at which an assistant runs by itself. */
export function TriggersCard({ agent }: { agent: AgentOfTriggers }) {
  const can = useCan()
  const canChange = can('agents:write') && can('agents:run')
  const [edited, setEdited] = useState<TriggerView | 'new'>()
  const { data, error, refetch } = useTriggers(agent.agent_id)
  const add = (
    <Button icon="plus" size="small" variant="primary" onClick={() => setEdited('new')}>
      Add
    </Button>
  )
  return (
    <Card
      title="Runs by itself"
      description="At times, or when something happens. Each occasion starts exactly one run."
      actions={canChange && data && data.items.length > 0 && add}
    >
      {error && data === undefined ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : undefined}
      {data === undefined && !error && <Skeleton height="8rem" />}
      {data?.items.length === 0 && (
        <EmptyState icon="clock" title="It runs only when it is asked" actions={canChange && add}>
          Have it report every morning, or look into a failed import as soon as it happens.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className={styles.triggers}>
          {data.items.map((trigger) => (
            <TriggerItem key={trigger.id} trigger={trigger} onEdit={canChange ? () => setEdited(trigger) : undefined} />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <TriggerDialog
          agent={agent}
          trigger={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  )
}

function TriggerItem({ trigger, onEdit }: { trigger: TriggerView; onEdit: (() => void) | undefined }) {
  const words = describeOccasion(trigger.on, useNames())
  const { input, enabled } = trigger
  const question = typeof input === 'string' ? withoutDirections(input) : JSON.stringify(input)
  return (
    <li className={styles.trigger}>
      <Cluster>
        <span className="medium breakable">{words}</span>
        <StatusBadge status={enabled ? 'active' : 'paused'} />
        <TriggerActions trigger={trigger} words={words} onEdit={onEdit} />
      </Cluster>
      <p className={styles.question}>{question}</p>
      <TriggerHistory trigger={trigger} />
    </li>
  )
}

/** Returns the names of assistants and data sources, which filters name by id. */
function useNames(): ReadonlyMap<string, string> {
  const [agents, sources] = [useAgents().data, useSources().data]
  return useMemo(
    () =>
      new Map([
        ...(agents ?? []).map(({ agent_id: id, name }) => [id, isolate(name)] as const),
        ...(sources ?? []).map(({ data_source_id: id, name }) => [id, isolate(name)] as const),
      ]),
    [agents, sources],
  )
}

function TriggerHistory({ trigger }: { trigger: TriggerView }) {
  const { on, upcoming, last_run_id: runId, last_run_at: runAt, last_skipped: skipped } = trigger
  const formatAt = useWordFormat('shortTime', 'timezone' in on ? (on.timezone ?? 'UTC') : 'UTC')
  return (
    <div className="stack-1 muted size-table">
      {upcoming.length > 0 && <span>Next: {upcoming.map((at) => formatAt(at)).join('; ')}</span>}
      {runId !== null && runAt !== null ? (
        <span>
          <Link to="/$workspaceId/agents/runs/$runId" params={{ runId }}>
            Last run
          </Link>{' '}
          <Time value={runAt} />
        </span>
      ) : (
        <span>It has not run yet.</span>
      )}
      {skipped && (
        <span className={styles.skipped}>
          Skipped <Time value={skipped.at} />: {skipped.reason}
        </span>
      )}
    </div>
  )
}

function TriggerActions({
  trigger: { id, agent_id, enabled },
  words,
  onEdit,
}: {
  trigger: TriggerView
  words: string
  onEdit: (() => void) | undefined
}) {
  const { api, refresh } = useWorkspace()
  const canRun = useCan()('agents:run')
  const params = { agent_id, id }
  const act = useMutation({
    mutationFn: async ({ work, done }: { work: () => Promise<unknown>; done: string }) => {
      await work()
      await refresh('agents', agent_id)
      showSuccess(done)
    },
    onError: showError,
  })
  const toggle = () =>
    act.mutate({
      work: () => api.agents.updateTrigger({ params, body: { enabled: !enabled } }),
      done: enabled ? 'It no longer runs by itself' : 'It runs by itself again',
    })
  const run = () => act.mutate({ work: () => api.agents.runTrigger({ params }), done: 'The run was started' })
  return (
    <div className={styles.triggerActions}>
      {canRun && (
        <Button size="small" isBusy={act.isPending} onClick={run}>
          Run now
        </Button>
      )}
      {onEdit && (
        <ConfirmedAction
          control={(ask) => (
            <ActionMenu
              label={`Actions: ${words}`}
              entries={[
                { label: 'Change', icon: 'pencil', onSelect: onEdit },
                { label: enabled ? 'Pause' : 'Resume', icon: enabled ? 'stop' : 'play', onSelect: toggle },
                'separator',
                { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: ask },
              ]}
            />
          )}
          title="Delete this automatic run?"
          confirmLabel="Delete it"
          onConfirm={async () => {
            await api.agents.deleteTrigger({ params })
            await refresh('agents', agent_id, 'triggers')
          }}
        >
          {words}. Runs that it has started go on.
        </ConfirmedAction>
      )}
    </div>
  )
}
