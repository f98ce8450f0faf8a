import { useEffect, useState } from 'react'
import type { DeliveryView } from './delivery-table.tsx'
import { mergeTail, type Tail } from './merge-tail.ts'

const keyOf = ({ request_id }: DeliveryView): string => request_id
const empty: Tail<DeliveryView> = { rows: [], held: [] }

/** Below this position the person reads the list, so that new rows must not move it. */
const topPx = 8

/**
 * Collects the newest deliveries while a list is followed.
 * @param newest the first page, as it was last read; undefined while it is loaded or not followed
 * @param listKey changes with the filters, and begins a new list
 */
export function useLiveTail(newest: readonly DeliveryView[] | undefined, listKey: string) {
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
