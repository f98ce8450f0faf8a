import type { WorkspaceDeletion } from '@wp/contracts'
import type { z } from 'zod'
import { StatusBadge } from '../../ui/data/badge.tsx'
import { Time } from '../../ui/data/time.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'

type ServiceDeletion = z.infer<typeof WorkspaceDeletion>['services'][number]

const columns: readonly Column<ServiceDeletion>[] = [
  { header: 'Service', cell: ({ service }) => service },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Deleted',
    align: 'end',
    cell: ({ deleted }) =>
      formatCount(
        Object.values(deleted).reduce((sum, count) => sum + count, 0),
        'row',
      ),
  },
  { header: 'Retained', cell: ({ retained }) => retained.map(({ table }) => table).join(', ') || '–' },
  { header: 'Finished', cell: ({ finished_at }) => <Time value={finished_at} /> },
]

/** Lists the deleted and the kept rows of each service. */
export const ServiceDeletions = ({ services }: { services: readonly ServiceDeletion[] }) => (
  <DataTable
    label="Deletion by service"
    columns={columns}
    rows={services}
    rowKey={({ service }) => service}
    empty={<p style={{ padding: 'var(--space-4)' }}>The deletion has not begun.</p>}
  />
)
