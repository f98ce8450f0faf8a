import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, type Ref, useEffect } from 'react'
import { productName } from '../../product-name.ts'
import { classNames, Icon } from '../button/button.tsx'
import { Link } from '../button/button-link.tsx'
import { isolate } from '../format/untrusted-text.ts'
import { Unloaded } from '../message/message.tsx'
import styles from './page.module.css'

/** A page of the console: sets the title of the document. `narrow` for forms and text. */
export function Page({
  title,
  status,
  description,
  parent,
  actions,
  isNarrow = false,
  children,
}: {
  title: string
  /** Shown beside the title. */
  status?: ReactNode
  description?: ReactNode
  /** The list that the page belongs to. */
  parent?: { label: string; link: LinkProps }
  actions?: ReactNode
  isNarrow?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${isolate(title)} · ${productName}`
  }, [title])
  return (
    <div className={classNames(styles.page, isNarrow && styles.narrow)}>
      <header className={styles.header}>
        <div>
          {parent && (
            <Link {...parent.link} className={styles.crumb}>
              <Icon name="chevron-left" size={14} />
              {parent.label}
            </Link>
          )}
          <div className={styles.titleRow}>
            <h1 tabIndex={-1}>{title}</h1>
            {status}
          </div>
          {description && <div className={styles.description}>{description}</div>}
        </div>
        {actions && <div className="row-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A page whose resource is being loaded, or could not be. */
export const UnloadedPage = ({
  error,
  refetch,
  height = '16rem',
  ...page
}: Omit<Parameters<typeof Page>[0], 'children'> & { error: unknown; refetch: () => unknown; height?: string }) => (
  <Page {...page}>
    <Unloaded error={error} refetch={refetch} height={height} />
  </Page>
)

/** A framed part of a page. `isFlush` for a table that reaches the frame. */
export function Card({
  title,
  description,
  actions,
  isFlush = false,
  headingRef,
  children,
}: {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  isFlush?: boolean
  /** Lets the heading take the focus. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  return (
    <section className={styles.card} {...(title && { 'aria-label': title })}>
      {(title || actions) && (
        <div className={classNames(styles.cardHead, isFlush && styles.flushHead)}>
          <div>
            {title && (
              <h2 ref={headingRef} {...(headingRef && { tabIndex: -1 })}>
                {title}
              </h2>
            )}
            {description && <p>{description}</p>}
          </div>
          {actions && <div className="row-2">{actions}</div>}
        </div>
      )}
      <div className={classNames(styles.cardBody, isFlush && styles.flush)}>{children}</div>
    </section>
  )
}

/** Parts beside each other where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => <div className={styles.columns}>{children}</div>

/** Parts below each other. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>

/** Small things in a row that wraps. */
export const Cluster = ({ children }: { children: ReactNode }) => <div className="row-2">{children}</div>
