import { useCallback } from 'react'
import { PeriodFilter } from '../../ui/date/period-filter.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../ui/filter/filter-bar.tsx'
import { deliveryStatuses } from '../attempts/delivery-status.ts'
import { useEventKinds, useSubscriptions } from '../shared/queries.ts'
import { nameOfSubscription } from '../shared/subscription-name.ts'

/** The filters of deliveries, as in the address of the page. */
export interface DeliveryFilters {
  webhook?: string
  status?: (typeof deliveryStatuses)[number]
  event?: string
  /** Of a delivery or of an event. */
  id?: string
  since?: string
  until?: string
}

type Change = { [Name in keyof DeliveryFilters]?: DeliveryFilters[Name] | undefined }

const noFilters: Change = {
  webhook: undefined,
  status: undefined,
  event: undefined,
  id: undefined,
  since: undefined,
  until: undefined,
}

/** The bar of filters above the deliveries. */
export function DeliveryFilterBar({
  filters,
  onChange,
}: {
  filters: DeliveryFilters
  onChange: (change: Change) => void
}) {
  const { data: kinds } = useEventKinds()
  const { subscriptions } = useSubscriptions()
  const isFiltered = Object.keys(noFilters).some((name) => filters[name as keyof DeliveryFilters] !== undefined) // its own keys
  const setId = useCallback((id: string | undefined) => onChange({ id: id?.trim() || undefined }), [onChange])
  return (
    <FilterBar onClear={isFiltered ? () => onChange(noFilters) : undefined}>
      <TextFilter
        isSearch
        label="Request or event id"
        placeholder="dlv_… or evt_…"
        value={filters.id}
        onChange={setId}
      />
      <SelectFilter
        label="Subscription"
        value={filters.webhook}
        options={subscriptions.map((item) => ({ value: item.webhook_id, label: nameOfSubscription(item) }))}
        onChange={(webhook) => onChange({ webhook })}
      />
      <SelectFilter
        label="Status"
        value={filters.status}
        options={deliveryStatuses}
        onChange={(status) => onChange({ status: status as DeliveryFilters['status'] })} // one of the options
      />
      <SelectFilter
        label="Event"
        value={filters.event}
        options={(kinds ?? []).map(({ kind }) => ({ value: kind, label: kind }))}
        onChange={(event) => onChange({ event })}
      />
      <PeriodFilter since={filters.since} until={filters.until} onChange={onChange} />
    </FilterBar>
  )
}
