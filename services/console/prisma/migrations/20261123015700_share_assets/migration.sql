-- Who sees the rows: files of the app, the same for everyone
SELECT platform.share('assets');
