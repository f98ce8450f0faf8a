-- Time of the last notice that the endpoint is failing: the next one follows twelve hours later at the earliest.
ALTER TABLE "endpoints" ADD COLUMN     "notified_at" TIMESTAMPTZ(3);
