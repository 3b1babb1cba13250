/** Tags with a field of their own, by lower-case name without prefix, and technical ones: none of them is kept as an extra tag. */
export const handledTags: ReadonlySet<string> = new Set(
  [
    'title|artist|artists|albumartist|albumartists|album|album_artist|album artist|year|date|originaldate|originalyear|original year|releasedate',
    'comment|description|track|tracknumber|disc|discnumber|tracktotal|totaltracks|disctotal|totaldiscs|genre|style|mood|composer|lyricist|writer|conductor',
    'remixer|mixartist|arranger|engineer|producer|djmixer|mixer|performer|lead_performer|label|organization|publisher|discsubtitle|compilation|rating|bpm|language|license',
    'lyrics|unsyncedlyrics|syncedlyrics|barcode|isrc|catalognumber|catalogid|releasestatus|releasetype|albumsort|titlesort|artistsort|albumartistsort',
    'composersort|artists_sort|albumartists_sort|metadata_block_picture|coverart|coverartmime|cover art (front)|cover art (back)|cuesheet|encoder|encoding',
    'encodersettings|encodedby|itunnorm|itunsmpb|itunpgap|itunes_cddb_1|itunes_cddb_tracknumber|itunes_cddb_ids|waveformatextensible_channel_mask|version',
    'musicbrainz_trackid|musicbrainz_releasetrackid|musicbrainz_albumid|musicbrainz_artistid|musicbrainz_albumartistid|musicbrainz_releasegroupid',
    'musicbrainz_albumstatus|musicbrainz_albumtype|musicbrainz artist id|musicbrainz album id|musicbrainz album artist id|musicbrainz release group id',
    'musicbrainz release track id|musicbrainz track id|musicbrainz album status|musicbrainz album type|originalreleaseyear|originalreleasetime',
    'replaygain_track_gain|replaygain_track_peak|replaygain_album_gain|replaygain_album_peak|replaygain_reference_loudness|replaygain_undo',
    'replaygain_minmax|replaygain_track_minmax|replaygain_album_minmax|mp3gain_minmax|mp3gain_album_minmax|mp3gain_undo|r128_track_gain|r128_album_gain',
    'major_brand|minor_version|compatible_brands|creation_time|handler_name|vendor_id|duration|number_of_frames|number_of_bytes|bps',
    'uslt|sylt|tbpm|tmpo|author|albumtitle|partofset|setsubtitle|encodingsettings|isvbr|uniquefileidentifier|provider|providerstyle|providerrating',
    'mediaclassprimaryid|mediaclasssecondaryid|beatsperminute|catalogno|modifiedby|picture|iscompilation|subtitle|contentgroupdescription|initialkey',
    'authorurl|deviceconformancetemplate|wmfsdkversion|wmfsdkneeded|shareduserrating|musicbrainz/artist id|musicbrainz/album id',
    'musicbrainz/album artist id|musicbrainz/release group id|musicbrainz/release track id|musicbrainz/track id|musicbrainz/album status|musicbrainz/album type',
    'musicbrainz/album release country|part_number|total_parts|date_released|grouping|key|media|copyright|script|releasecountry|asin|website|work|notes',
    'albumsortorder|artistsortorder|albumartistsortorder|titlesortorder|composersortorder',
    '_statistics_writing_app|_statistics_writing_date_utc|_statistics_tags|encoded_by|encoder_options',
  ].flatMap((line) => line.split('|')),
);
