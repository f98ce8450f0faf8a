import { Icon } from '../../ui/button/icon.tsx'
import { checkEndpoint } from '../shared/check-endpoint.ts'
import styles from '../shared/webhooks.module.css'

const words = { met: 'met', unmet: 'not met', open: 'not checked yet' } as const

/** The rules for an endpoint, beside its field, with the state of each. */
export const EndpointChecks = ({ endpoint }: { endpoint: string }) => (
  <ul className={styles.checks} aria-label="Rules for the endpoint">
    {checkEndpoint(endpoint).map(({ label, state }) => (
      <li key={label} data-state={state}>
        <Icon name={state === 'met' ? 'check' : state === 'unmet' ? 'close' : 'info'} size={14} />
        <span>
          {label}
          <span className="visually-hidden">: {words[state]}</span>
        </span>
      </li>
    ))}
  </ul>
)
