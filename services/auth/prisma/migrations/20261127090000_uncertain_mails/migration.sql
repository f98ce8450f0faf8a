-- queued, sending (the mail server may have got the content) or uncertain (it may have been accepted; not sent again).
ALTER TABLE "mails" ADD COLUMN "state" TEXT NOT NULL DEFAULT 'queued';
