import { describeError } from '../../api/describe-error.ts'
import { Button, CopyButton } from '../button/button.tsx'
import { classNames } from '../button/class-names.ts'
import { Icon } from '../button/icon.tsx'
import styles from './message.module.css'

/** An error of a call: what is wrong, what to do, and the id of the request for support. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, requestId, fields } = describeError(error)
  return (
    <div className={classNames(styles.message, styles.danger)} role="alert">
      <Icon name="warning" />
      <div className={styles.content}>
        <div className={styles.title}>{title}</div>
        {detail && detail !== title && <div>{detail}</div>}
        {fields.length > 0 && (
          <ul>
            {fields.map(({ pointer, detail: problem }) => (
              <li key={`${pointer} ${problem}`}>
                <code>{pointer}</code> {problem}
              </li>
            ))}
          </ul>
        )}
        {requestId && (
          <div className={styles.request}>
            Request <code>{requestId}</code> <CopyButton value={requestId} label="Copy request id" />
          </div>
        )}
      </div>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
