import { getRouteApi } from '@tanstack/react-router'
import type { Invoice } from '@wp/contracts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { formatMoney } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { invoiceStatuses } from '../choices.ts'
import { PeriodText } from '../period-text.tsx'
import { BillingDetailsCard } from './billing-details-card.tsx'

const route = getRouteApi('/$workspaceId/usage/invoices')

const columns: readonly Column<Invoice>[] = [
  { header: 'Number', cell: ({ number }) => number ?? 'Draft' },
  {
    header: 'Period',
    cell: ({ period_start: start, period_end: end }) => <PeriodText start={start} end={end} />,
  },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Issued', cell: ({ issued_at }) => <Time value={issued_at} format="date" /> },
  { header: 'Due', cell: ({ due_at }) => <Time value={due_at} format="date" /> },
  { header: 'Total', cell: ({ total_minor, currency }) => formatMoney(total_minor, currency), align: 'end' },
]

/** The invoices of the workspace, and whom they are addressed to. */
export function InvoicesPage() {
  const search = route.useSearch()
  const page = useApiQuery(['usage', 'invoices', search], (api, options) =>
    api.billing.listInvoices({ query: search }, options),
  )
  return (
    <ListPage
      title="Usage"
      area="Usage"
      description="Invoices of past periods, and the draft of the current one."
      filters={[{ name: 'status', label: 'Status', options: invoiceStatuses }]}
      // After the table, whose height is not known before.
      after={!page.isPending && <BillingDetailsCard />}
    >
      <PagedTable
        columns={columns}
        page={page}
        noun="invoices"
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({
          to: '/$workspaceId/usage/invoices/$invoiceId',
          params: { invoiceId: id },
        })}
        empty={<NoInvoices isFiltered={search.status !== undefined} />}
      />
    </ListPage>
  )
}

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon="filter" title="No invoice has this status">
        Choose another status.
      </EmptyState>
    )
  return (
    <EmptyState icon="card" title="No invoices yet">
      A period without anything to pay has no invoice.
    </EmptyState>
  )
}
