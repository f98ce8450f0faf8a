import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { useBaseUrl, useCan } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/form/controls.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { useSubscriptions } from '../shared/queries.ts'
import { sendTestSnippet } from '../shared/snippets.ts'
import styles from '../shared/webhooks.module.css'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryFilterBar, type DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryTable, type DeliveryView } from './delivery-table.tsx'
import { mergeTail, type Tail } from './merge-tail.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { useDeliveries } from './use-deliveries.ts'

const route = getRouteApi('/$workspaceId/webhooks/deliveries')

/** The deliveries to all subscriptions, with filters, live tail and resending. */
export function DeliveriesPage() {
  const search = route.useSearch()
  const { live, cursor, look, ...filters } = search
  const navigate = route.useNavigate()
  const { nameOf } = useSubscriptions()
  const canResend = useCan()('webhooks:write')
  const isLive = live === true && cursor === undefined
  const page = useDeliveries({ ...filters, ...(cursor !== undefined && { cursor }) }, isLive)
  const tail = useLiveTail(isLive ? page.data?.items : undefined, JSON.stringify(filters))
  const rows = isLive && page.data !== undefined ? tail.rows : page.data?.items
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [resending, setResending] = useState<readonly DeliveryView[]>()
  const setFilters = useCallback(
    (change: { [Name in keyof DeliveryFilters]?: DeliveryFilters[Name] | undefined }) =>
      void navigate({ search: changeSearch(search, { ...change, cursor: undefined }) }),
    [navigate, search],
  )
  const toggleLive = (isOn: boolean) =>
    void navigate({ search: changeSearch(search, { live: isOn ? true : undefined, cursor: undefined }) })
  const closeLook = () =>
    void navigate({ search: changeSearch(search, { look: undefined }), replace: true, resetScroll: false })
  const chosen = rows?.filter(({ request_id }) => selected.has(request_id)) ?? []
  return (
    <Page title="Webhooks" description="Every delivery to every subscription of the last 30 days, newest first.">
      <AreaTabs area="Webhooks" />
      <Card isFlush>
        <DeliveryFilterBar filters={filters} onChange={setFilters} />
        <div className={styles.switch}>
          <Checkbox
            label="Live tail"
            hint="New deliveries appear at the top; while you read further down they wait"
            checked={isLive}
            onChange={(event) => toggleLive(event.target.checked)}
          />
          <span role="status">
            {isLive && tail.heldCount > 0 && `${formatCount(tail.heldCount, 'new delivery', 'new deliveries')} above`}
          </span>
        </div>
        {isLive && tail.heldCount > 0 && (
          <div className={styles.held}>
            <Button variant="primary" size="small" onClick={tail.showHeld}>
              Show {formatCount(tail.heldCount, 'new delivery', 'new deliveries')}
            </Button>
          </div>
        )}
        <DeliveryTable
          rows={rows}
          nameOf={nameOf}
          linkOf={(requestId) => ({
            to: '/$workspaceId/webhooks/deliveries',
            search: { ...search, look: requestId },
            resetScroll: false,
          })}
          {...(canResend && {
            selection: {
              keys: selected,
              onChange: setSelected,
              noun: 'delivery',
              plural: 'deliveries',
              actions: (
                <Button size="small" onClick={() => setResending(chosen)}>
                  Resend {formatCount(chosen.length, 'delivery', 'deliveries')}
                </Button>
              ),
            },
          })}
          error={page.error}
          onRetry={() => void page.refetch()}
          empty={<NoDeliveries isFiltered={Object.keys(filters).length > 0} />}
          footer={
            page.data &&
            !isLive && <Pager nextCursor={page.data.nextCursor} shown={page.data.items.length} noun="deliveries" />
          }
        />
      </Card>
      {look !== undefined && <DeliveryDrawer requestId={look} onClose={closeLook} />}
      {resending && (
        <ResendDialog
          deliveries={resending}
          onClose={(failed) => {
            if (failed) setSelected(new Set(failed))
            setResending(undefined)
          }}
        />
      )}
    </Page>
  )
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  const baseUrl = useBaseUrl()
  if (isFiltered) return <EmptyState icon="filter" title="No delivery matches the filters" />
  return (
    <EmptyState
      icon="webhooks"
      title="No deliveries yet"
      snippet={<CodeBlock label="Send a test" code={sendTestSnippet(baseUrl)} />}
    >
      A delivery is made for each event that a subscription names. Send a test to see one now.
    </EmptyState>
  )
}

const keyOf = ({ request_id }: DeliveryView): string => request_id
const empty: Tail<DeliveryView> = { rows: [], held: [] }

/** Below this position the person reads the list, so that new rows must not move it. */
const topPx = 8

/**
 * Collects the newest deliveries while a list is followed.
 * @param newest the first page, as it was last read; undefined while it is loaded or not followed
 * @param listKey changes with the filters, and begins a new list
 */
function useLiveTail(newest: readonly DeliveryView[] | undefined, listKey: string) {
  const [{ key, tail }, setState] = useState({ key: listKey, tail: empty })
  useEffect(() => {
    if (newest === undefined) return
    setState((state) => ({
      key: listKey,
      tail: mergeTail(state.key === listKey ? state.tail : empty, newest, keyOf, window.scrollY > topPx),
    }))
  }, [newest, listKey])
  return {
    rows: key === listKey ? tail.rows : [],
    heldCount: key === listKey ? tail.held.length : 0,
    /** Shows the rows that wait, from the top of the page. */
    showHeld: () => {
      window.scrollTo({ top: 0 })
      setState((state) => ({ ...state, tail: mergeTail(state.tail, [], keyOf, false) }))
    },
  }
}
