import { getRouteApi } from '@tanstack/react-router'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Page, UnloadedPage } from '../../ui/page/page.tsx'
import { Time } from '../../ui/values/values.tsx'
import { PlanView } from './plan-view.tsx'
import styles from './plans.module.css'

const route = getRouteApi('/$workspaceId/plans/$planId')

/** The plan of a building for one day, which can be printed. */
export function PlanPage() {
  const { planId } = route.useParams()
  const formatDay = useWordFormat('longDay', 'UTC')
  const { data, error, refetch } = useApiQuery(['plans', 'one', planId], (api, options) =>
    api.solutions.getPlan({ params: { id: planId } }, options),
  )
  const parent = {
    label: 'Daily plans',
    link: { to: '/$workspaceId/plans', search: {} },
  } as const
  if (data === undefined)
    return <UnloadedPage title="Daily plan" parent={parent} error={error} refetch={refetch} height="40rem" />
  return (
    <Page
      title={`${isolate(data.space_name)}, ${formatDay(data.date)}`}
      parent={parent}
      description={
        <>
          Made <Time value={data.created_at} />.
        </>
      }
      actions={<Button onClick={() => print()}>Print</Button>}
    >
      <div className={styles.printed} data-printed>
        <PlanView plan={data} />
      </div>
    </Page>
  )
}
