import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { Page } from '../../ui/page/page.tsx'
import { BudgetCard } from './budget-card.tsx'

/** The budget of the workspace for all runs of its assistants. */
export function BudgetPage() {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  const { data, error, refetch } = useApiQuery(['agents', 'budget'], (client, options) =>
    client.agents.getBudget({}, options),
  )
  return (
    <Page title="Assistants" description="What all assistants and chats of the workspace may use together.">
      <AreaTabs area="Assistants" />
      <BudgetCard
        title="Budget of the workspace"
        description="Holds for all assistants and chats together, beside the budget of each one. A day is one of UTC."
        data={data}
        error={error}
        onRetry={() => void refetch()}
        save={
          can('workspace:write')
            ? async (body) => {
                await api.agents.updateBudget({ body })
                await refresh('agents', 'budget')
              }
            : undefined
        }
      />
    </Page>
  )
}
