import type { Invoice, InvoiceLine } from '@wp/contracts'
import { formatMoney, formatNumber } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Badge } from '../../ui/values/values.tsx'
import { PeriodText } from '../period-text.tsx'
import styles from '../usage.module.css'

type Row = InvoiceLine & { key: string }

const columnsFor = (currency: string): readonly Column<Row>[] => [
  { header: 'Description', cell: ({ description }) => description },
  { header: 'Kind', cell: ({ kind }) => <Badge>{kind}</Badge> },
  {
    header: 'Period',
    cell: ({ period_start: start, period_end: end }) => <PeriodText start={start} end={end} />,
  },
  { header: 'Quantity', cell: ({ quantity }) => formatNumber(quantity), align: 'end' },
  { header: 'Price', cell: ({ unit_price_minor }) => formatMoney(unit_price_minor, currency), align: 'end' },
  { header: 'Amount', cell: ({ amount_minor }) => formatMoney(amount_minor, currency), align: 'end' },
]

/** The lines of an invoice and its totals. */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { lines, currency, subtotal_minor: subtotal, tax_rate: rate, tax_minor: tax, total_minor: total } = invoice
  return (
    <>
      <DataTable
        label="Lines"
        columns={columnsFor(currency)}
        rows={lines.map((line, index) => ({ ...line, key: String(index) }))}
        rowKey={({ key }) => key}
        empty={
          <EmptyState icon="card" title="No lines">
            Nothing is charged.
          </EmptyState>
        }
      />
      <dl className={styles.totals}>
        <dt>Subtotal</dt>
        <dd>{formatMoney(subtotal, currency)}</dd>
        <dt>Tax, {rate} %</dt>
        <dd>{formatMoney(tax, currency)}</dd>
        <dt data-final="true">Total</dt>
        <dd data-final="true">{formatMoney(total, currency)}</dd>
      </dl>
    </>
  )
}
