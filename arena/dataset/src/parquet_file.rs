//! A shard as a Parquet file: rows of bytes for observation and mask, numbers for the rest.

use std::io::Write;
use std::sync::Arc;

use leyden_env::Encoding;
use parquet::basic::Compression;
use parquet::data_type::{
    ByteArray, DataType, FixedLenByteArray, FixedLenByteArrayType, FloatType, Int32Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::shard::{Shard, widths};

/// Writes a shard as a file with one row group.
pub(crate) fn write<W: Write + Send>(out: W, shard: &Shard, encoding: &Encoding) -> Result<(), ParquetError> {
    let (observed, masked) = widths(encoding);
    let schema = parse_message_type(&format!(
        "message decisions {{
            required fixed_len_byte_array({observed}) observation;
            required fixed_len_byte_array({masked}) action_mask;
            required int32 action (INTEGER(16, false));
            required float result;
            required float round_points;
            required float points_to_come;
            required int32 seat (INTEGER(8, false));
            required int32 bot (INTEGER(16, false));
            required int32 match (INTEGER(32, false));
        }}"
    ))?;
    // Rows of bytes hardly repeat: a dictionary would only cost time.
    let properties =
        WriterProperties::builder().set_compression(Compression::SNAPPY).set_dictionary_enabled(false);
    let mut file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    column::<FixedLenByteArrayType, _>(&mut group, &rows(&shard.observation, observed))?;
    column::<FixedLenByteArrayType, _>(&mut group, &rows(&shard.action_mask, masked))?;
    column::<Int32Type, _>(&mut group, &wide(&shard.action))?;
    column::<FloatType, _>(&mut group, &shard.result)?;
    column::<FloatType, _>(&mut group, &shard.round_points)?;
    column::<FloatType, _>(&mut group, &shard.points_to_come)?;
    column::<Int32Type, _>(&mut group, &wide(&shard.seat))?;
    column::<Int32Type, _>(&mut group, &wide(&shard.bot))?;
    let numbers: Vec<i32> = shard.match_number.iter().map(|&number| number as i32).collect();
    column::<Int32Type, _>(&mut group, &numbers)?;
    group.close()?;
    file.close()?;
    Ok(())
}

/// Writes the next column.
fn column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("there are more columns than in the schema".to_owned()));
    };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

fn rows(bytes: &[u8], width: usize) -> Vec<FixedLenByteArray> {
    bytes.chunks_exact(width).map(|row| ByteArray::from(row.to_vec()).into()).collect()
}

fn wide<T: Copy + Into<i32>>(values: &[T]) -> Vec<i32> {
    values.iter().map(|&value| value.into()).collect()
}
