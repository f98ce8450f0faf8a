import type { Concept } from '../wording.ts'

/** Parts of an office's equipment and software. The first two expressions are those of the support staff. */
export const components: readonly Concept[] = [
  ['login', 'sign-in', 'log-in', 'log in page', 'signing in'],
  ['single sign-on', 'SSO', 'single sign on', 'single-sign-on'],
  ['e-mail', 'mailbox', 'email', 'mail', 'inbox'],
  ['wireless network', 'Wi-Fi', 'wifi', 'WLAN', 'wireless'],
  ['VPN', 'VPN client', 'remote access', 'tunnel to the office'],
  ['printer', 'multifunction printer', 'printing', 'print-out'],
  ['scanner', 'document scanner', 'scanning'],
  ['headset', 'USB headset', 'head set', 'earphones'],
  ['docking station', 'dock', 'docking-station', 'USB-C dock'],
  ['external monitor', 'second screen', 'display', 'monitors'],
  ['laptop', 'notebook', 'portable computer', 'notebook computer'],
  ['badge reader', 'door reader', 'access-card reader', 'card reader'],
  ['calendar', 'shared calendar', 'calendars', 'appointments'],
  ['room booking', 'room reservation', 'booking of meeting rooms', 'reserving rooms'],
  ['video conference', 'video call', 'videoconference', 'conference call'],
  ['file share', 'network drive', 'fileshare', 'shared folder'],
  ['backup', 'back-up', 'restore', 'backups'],
  ['expense report', 'travel expenses', 'expenses', 'reimbursement form'],
  ['time sheet', 'time tracking', 'timesheet', 'recorded hours'],
  ['payroll portal', 'pay slip', 'payslips', 'salary statement'],
  ['spreadsheet', 'workbook', 'spread sheet', 'spreadsheets'],
  ['database', 'reporting database', 'data base', 'data warehouse'],
  ['dashboard', 'report', 'reports', 'dash board'],
  ['phone', 'desk phone', 'telephone', 'extension'],
  ['voicemail', 'voice mail', 'answering machine'],
  ['browser', 'web browser', 'Firefox', 'Chromium'],
  ['anti-virus', 'virus scanner', 'antivirus', 'malware scanner'],
  ['password', 'pass phrase', 'passwords', 'credentials'],
  ['two-factor code', 'authenticator', '2FA', 'two factor authentication'],
  ['drop-down menu', 'dropdown', 'drop down', 'selection list'],
]

export interface Symptom {
  /** Sentences of reports, with `{component}`. */
  reported: readonly string[]
  /** Expressions of the support staff. */
  named: readonly string[]
  /** Expressions in later questions. */
  asked: readonly string[]
}

const symptom = (reported: readonly string[], named: readonly string[], asked: readonly string[]): Symptom => ({
  reported,
  named,
  asked,
})

export const symptoms: readonly Symptom[] = [
  symptom(
    ['The {component} is very slow since this morning.', 'Everything with the {component} takes ages.'],
    ['slow {component}', 'poor performance of {component}'],
    ['slowness of {component}', '{component} takes too long'],
  ),
  symptom(
    ['The {component} freezes and I have to restart.', 'My {component} hangs all the time.'],
    ['{component} freezing', '{component} not responding'],
    ['{component} hangs', 'frozen {component}'],
  ),
  symptom(
    ['The {component} crashed and I lost my work.', 'The {component} closes by itself.'],
    ['crash of {component}', '{component} terminates unexpectedly'],
    ['{component} crashes', 'crashing {component}'],
  ),
  symptom(
    ['I cannot open the {component}.', 'It is not possible to start the {component} any more.'],
    ['{component} does not start', '{component} cannot be opened'],
    ['unable to start {component}', '{component} will not open'],
  ),
  symptom(
    ['I get "access denied" for the {component}.', 'I have no rights for the {component}.'],
    ['missing permission for {component}', '{component}: access denied'],
    ['no permissions on {component}', 'not allowed to use {component}'],
  ),
  symptom(
    ['The {component} disconnects every few minutes.', 'The {component} drops the connection again and again.'],
    ['{component} disconnecting', 'connection of {component} unstable'],
    ['{component} loses its connection', 'disconnections of {component}'],
  ),
  symptom(
    ['The {component} shows old data.', 'What I see in the {component} is from last week.'],
    ['{component} not updated', 'stale data in {component}'],
    ['outdated {component}', '{component} does not refresh'],
  ),
  symptom(
    ['Some entries in the {component} are there twice.', 'The {component} has everything double.'],
    ['duplicates in {component}', 'duplicated entries of {component}'],
    ['duplicate entries in {component}', '{component} shows things twice'],
  ),
  symptom(
    ['Things have disappeared from the {component}.', 'My {component} is empty!'],
    ['missing data in {component}', '{component} empty'],
    ['lost data of {component}', '{component} vanished'],
  ),
  symptom(
    ['The {component} makes a strange noise.', 'There is a humming from the {component}.'],
    ['noise of {component}', '{component} humming'],
    ['noisy {component}', '{component} is loud'],
  ),
  symptom(
    ['The {component} shows strange characters instead of umlauts.', 'Letters in the {component} are garbled.'],
    ['wrong encoding in {component}', 'garbled text in {component}'],
    ['unreadable characters in {component}', '{component} encodes text wrongly'],
  ),
  symptom(
    ['My {component} expired while I was on holiday.', 'The {component} says that it has expired.'],
    ['expired {component}', '{component} no longer valid'],
    ['expiry of {component}', 'renew {component}'],
  ),
]

/** Causes, as they are found and then remedied. */
export const causes: readonly { found: string; remedied: string }[] = [
  { found: 'an outdated driver', remedied: 'installed driver version {version}' },
  { found: 'a full disk', remedied: 'freed 40 GB of disk space' },
  { found: 'an expired certificate', remedied: 'renewed the certificate' },
  { found: 'a broken cable', remedied: 'replaced the cable' },
  { found: 'a wrong proxy setting', remedied: 'reset the proxy configuration' },
  { found: 'a corrupted profile', remedied: 'created a new profile' },
  { found: 'a licence that was not assigned', remedied: 'assigned a licence' },
  { found: 'the update to {version}', remedied: 'rolled back the update' },
  { found: 'a firewall rule', remedied: 'opened port 8443' },
  { found: 'a time zone mismatch', remedied: 'corrected the time zone' },
  { found: 'a stale cache', remedied: 'cleared the cache' },
  { found: 'a removed group membership', remedied: 'added the group again' },
]

export const greetings: readonly string[] = [
  'Hello,',
  'Dear support team,',
  'Hi all,',
  'Good morning, I hope you are well.',
  'Please help, this is urgent!',
  'Sorry to bother you with this.',
]

export const circumstances: readonly string[] = [
  'It worked yesterday.',
  'My co-workers on the {floor} floor have the same problem.',
  'It also happens at home and with another account.',
  'I already restarted the computer, without success.',
  'I need it for a meeting with a customer at 10:30.',
  'The {other} works fine.',
  'Before that I had changed my {other}.',
  'The {other} was replaced last month, see {reference}.',
  'It happens when I open the {other} at the same time.',
  'The error is {code}, see the screen shot.',
  'The version is {version}.',
  'We saw "{code}" on {host}.',
]

export const answers: readonly string[] = [
  'Thank you for your message. We will look into it.',
  'We first suspected {otherCause}, but it was not the reason.',
  'Could you check whether the {other} is affected as well?',
  'Asked the user for the log files and a screenshot.',
  'Remote session on {host}.',
  'Similar to {reference}.',
  'Escalated to second level.',
]

export const vagueTitles: readonly string[] = [
  'Problem again',
  'Urgent!!!',
  'Please help',
  'Question',
  'It does not work',
  'Follow-up to {reference}',
  'Error {code}',
]
