import { useState } from 'react'
import { useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import type { Recommendation } from './read-figures.ts'
import { RecommendationCard } from './recommendation-card.tsx'
import styles from './recommendations.module.css'
import type { Decision } from './use-decisions.ts'

/** Recommendations with their decisions, one by one or several at once. */
export function RecommendationList({
  items,
  decide,
}: {
  items: readonly Recommendation[]
  decide: (ids: readonly string[], decision: Decision) => void
}) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const can = useCan()
  const open = items.filter(({ status }) => status === 'open').map(({ id }) => id)
  const selected = open.filter((id) => keys.has(id))
  const toggle = (id: string) => setKeys(new Set(keys.has(id) ? [...keys].filter((key) => key !== id) : [...keys, id]))
  const decideSelected = (decision: Decision) => {
    decide(selected, decision)
    setKeys(new Set())
  }
  return (
    <>
      {open.length > 0 && can('solutions:run') && (
        <section className={styles.toolbar} aria-label="Several recommendations">
          <label>
            <input
              type="checkbox"
              checked={selected.length === open.length}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && selected.length < open.length
              }}
              onChange={() => setKeys(new Set(selected.length === open.length ? [] : open))}
            />
            {selected.length === 0 ? `Select all ${open.length} open` : `${selected.length} of ${open.length} selected`}
          </label>
          {selected.length > 0 && (
            <>
              <Button size="small" variant="primary" onClick={() => decideSelected('accepted')}>
                Accept {selected.length}
              </Button>
              <Button size="small" onClick={() => decideSelected('dismissed')}>
                Dismiss {selected.length}
              </Button>
            </>
          )}
        </section>
      )}
      <div className="stack-4">
        {items.map((item) => (
          <RecommendationCard
            key={item.id}
            recommendation={item}
            selection={{ isSelected: selected.includes(item.id), onSelect: () => toggle(item.id) }}
            onDecide={(decision) => decide([item.id], decision)}
          />
        ))}
      </div>
    </>
  )
}
