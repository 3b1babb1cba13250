/** Calls about objects that accounts have rated or marked as favourites. */
export const annotationCases: Readonly<Record<string, string>> = {
  'song (annotated)': 'action=song&filter=1',
  'album (annotated)': 'action=album&filter=1&include=songs',
  'artist (annotated)': 'action=artist&filter=1&include=albums',
  'albums (annotated)': 'action=albums',
  rate: 'action=rate&type=song&filter=1&rating=5',
  'rate (unknown)': 'action=rate&type=album&filter=999&rating=5',
  'rate (type)': 'action=rate&type=spoon&filter=1&rating=5',
  'rate (rating)': 'action=rate&type=song&filter=1&rating=6',
  'rate (missing)': 'action=rate&type=song&filter=1',
  flag: 'action=flag&type=song&filter=1&flag=1',
  'flag (removed)': 'action=flag&type=artist&filter=2&flag=0',
  'flag (unknown)': 'action=flag&type=playlist&filter=smart_7&flag=1',
};
