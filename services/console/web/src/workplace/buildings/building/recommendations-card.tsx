import { useApiQuery } from '../../../session/workspace-context.tsx'
import { Link } from '../../../ui/button/button-link.tsx'
import { formatAmount } from '../../../ui/format/format.ts'
import { useSentence } from '../../../ui/format/format-time.ts'
import { QueryCard } from '../query-card.tsx'
import type { Space } from '../space-words.ts'
import styles from './building.module.css'

/** The open recommendations about a space, the spaces around it, or those directly in it. */
export function RecommendationsCard({ space, inside }: { space: Space; inside: readonly Space[] }) {
  const sentence = useSentence()
  const query = useApiQuery(['recommendations', 'open'], (api, options) =>
    api.solutions.listRecommendations({ query: { status: 'open', limit: 100 } }, options),
  )
  const places = new Set([space.id, ...space.path.map(({ id }) => id), ...inside.map(({ id }) => id)])
  return (
    <QueryCard
      title="Open recommendations"
      query={query}
      height="6rem"
      actions={<Link to="/$workspaceId/recommendations">All recommendations</Link>}
    >
      {({ items }) => {
        const own = items.filter(({ key }) => places.has(key.space ?? ''))
        if (own.length === 0) return <p>None is open for this {space.kind}. Forecasts make them.</p>
        return (
          <ul className={styles.list}>
            {own.map(({ id, title, rationale, warnings = [], saving, scenario_id: scenarioId }) => (
              <li key={id}>
                <strong>{sentence(title)}</strong>
                {saving && <span>{yearlySaving(saving)}</span>}
                <p>{[...warnings, rationale].map(sentence).join(' ')}</p>
                {scenarioId && (
                  <Link to="/$workspaceId/scenarios/$scenarioId" params={{ scenarioId }}>
                    See the scenario that proves it
                  </Link>
                )}
              </li>
            ))}
          </ul>
        )
      }}
    </QueryCard>
  )
}

const yearlySaving = ({ amount, currency }: { amount: number; currency: string }): string =>
  `Saves ${formatAmount(amount, currency)} a year`
