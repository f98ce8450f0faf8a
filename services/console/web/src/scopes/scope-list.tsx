import type { Scope } from '@wp/contracts'
import { Badge } from '../ui/data/badge.tsx'
import { groupScopes } from './scope-groups.ts'
import styles from './scopes.module.css'

/** Shows scopes, grouped by surface. */
export const ScopeList = ({ scopes }: { scopes: readonly Scope[] }) => (
  <div className={styles.groups}>
    {groupScopes(scopes).map(({ name, label, scopes: members }) => (
      <div key={name} className={styles.group}>
        <div className={styles.groupLabel}>{label}</div>
        <div className={styles.chips}>
          {members.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </div>
      </div>
    ))}
  </div>
)
