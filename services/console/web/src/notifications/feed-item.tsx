import type { LinkProps } from '@tanstack/react-router'
import { consolePageOf, type Notification } from '@wp/contracts'
import { useResourceNames } from '../names/resource-names.ts'
import { Button } from '../ui/button/button.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { formatName } from '../ui/format/format.ts'
import { useSentence } from '../ui/format/format-time.ts'
import { idsIn, withNames } from '../ui/format/replace-ids.ts'
import { Cluster } from '../ui/page/page.tsx'
import { Badge, Time } from '../ui/values/values.tsx'
import styles from './notifications.module.css'

/** One notification. Opening what it is about marks it as read. */
export function FeedItem({
  notification: { id, kind, category, is_critical, link, read_at, created_at, ...texts },
  onRead,
}: {
  notification: Notification
  onRead: (id: string) => Promise<void>
}) {
  const sentence = useSentence()
  // A user who is invited has the id of the invitation, with the prefix of users.
  const text = texts.body.replaceAll(/\binv_(?=\w{26}\b)/g, 'usr_')
  const nameOf = useResourceNames(idsIn(text))
  const [title, body] = [sentence(texts.title), sentence(withNames(text, nameOf))]
  const page = consolePageOf({ kind, link })
  const isUnread = read_at === null
  return (
    <li className={styles.item} data-unread={isUnread}>
      <span className={styles.mark} aria-hidden="true" />
      <div className={styles.text}>
        <Cluster>
          {isUnread && <span className="visually-hidden">Unread: </span>}
          {page === undefined ? (
            <strong>{title}</strong>
          ) : (
            <Link
              // The page comes from a table, so the router cannot check it at compile time.
              {...({ to: `/$workspaceId/${page}` } as LinkProps)}
              className={styles.title}
              onClick={() => isUnread && void onRead(id)}
            >
              {title}
            </Link>
          )}
          {is_critical && <Badge tone="danger">Critical</Badge>}
        </Cluster>
        <p>{body}</p>
        <div className="muted size-table">
          {formatName(category)} · <Time value={created_at} />
        </div>
      </div>
      {isUnread && (
        <Button size="small" variant="quiet" aria-label={`Mark as read: ${title}`} onClick={() => void onRead(id)}>
          Mark as read
        </Button>
      )}
    </li>
  )
}
