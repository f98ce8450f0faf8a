import type { ReactNode } from 'react'
import { describeError, isNotFound } from '../../api/describe-error.ts'
import { Button, CopyButton, classNames, Icon, type IconName } from '../button/button.tsx'
import styles from './message.module.css'

const icons = { info: 'info', warning: 'warning', danger: 'warning', success: 'check' } satisfies Record<
  string,
  IconName
>

/** A message about the page or a part of it. */
export function Callout({
  tone = 'info',
  title,
  children,
}: {
  tone?: keyof typeof icons
  title?: string
  children?: ReactNode
}) {
  return (
    <div className={classNames(styles.message, styles[tone])}>
      <Icon name={icons[tone]} />
      <div className={styles.content}>
        {title && <div className="strong">{title}</div>}
        {children}
      </div>
    </div>
  )
}

/** The content of a page without data: its purpose, how to begin, and a snippet that can be run. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
  snippet,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  actions?: ReactNode
  snippet?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles.emptyActions}>{actions}</div>}
      {snippet && <div className={styles.emptySnippet}>{snippet}</div>}
    </div>
  )
}

/** In place of a list whose filters match nothing. */
export const NoMatch = ({ title }: { title: string }) => (
  <EmptyState icon="filter" title={title}>
    Change or clear the filters.
  </EmptyState>
)

/** A bar in place of text that is being loaded. @param width as CSS */
export const Skeleton = ({ width = '100%', height }: { width?: string; height?: string }) => (
  <span className={styles.skeleton} style={{ width, ...(height && { height }) }} aria-hidden="true" />
)

/** An error of a call: what is wrong, what to do, and the id of the request for support. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, requestId, fields } = describeError(error)
  return (
    <div className={classNames(styles.message, styles.danger)} role="alert">
      <Icon name="warning" />
      <div className={styles.content}>
        <div className="strong">{title}</div>
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
          <div className="secondary small above-1">
            Request <code>{requestId}</code> <CopyButton value={requestId} label="Copy request id" />
          </div>
        )}
      </div>
      {onRetry && !isNotFound(error) && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** In place of what is being loaded, or could not be. @param props.height as CSS */
export const Unloaded = ({
  error,
  refetch,
  height,
}: {
  error: unknown
  refetch: () => unknown
  height?: string | undefined
}) =>
  error ? (
    <ErrorMessage error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton {...(height !== undefined && { height })} />
  )
