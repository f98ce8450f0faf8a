import { Fragment } from 'react'
import { groupScopes } from '../../scopes/scope-groups.ts'
import { Icon } from '../../ui/button/icon.tsx'
import type { RoleView } from '../queries.ts'
import styles from './role-matrix.module.css'

/** A table of scopes by roles. */
export const RoleMatrix = ({ roles }: { roles: readonly RoleView[] }) => (
  <section className={styles.wrap} aria-label="Scopes by role" tabIndex={0}>
    <table className={styles.matrix}>
      <thead>
        <tr>
          <th scope="col">Scope</th>
          {roles.map(({ role_id, name }) => (
            <th key={role_id} scope="col" className={styles.role}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groupScopes().map((group) => (
          <Fragment key={group.name}>
            {group.scopes.map((scope) => (
              <tr key={scope}>
                <th scope="row">
                  <code>{scope}</code>
                </th>
                {roles.map(({ role_id, scopes }) => (
                  <td key={role_id}>
                    {scopes.includes(scope) ? (
                      <>
                        <Icon name="check" size={16} className={styles.yes} />
                        <span className="visually-hidden">yes</span>
                      </>
                    ) : (
                      <span className="visually-hidden">no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  </section>
)
